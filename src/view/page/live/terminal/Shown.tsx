import { useEffect, useRef } from 'preact/hooks'
import { screenColours } from './screen.js'
import type { Session } from './session.js'

interface ShownProps {
  readonly session: Session
  readonly onError: (message: string) => void
  /** F6 was pressed: the focus goes elsewhere. */
  readonly onLeave: () => void
}

/** The screen of a session, whose shell it starts; both stay when this goes. */
export function Shown({ session, onError, onLeave }: ShownProps) {
  const room = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (room.current === null) return
    const { screen } = session
    const isNew = !screen.element.hasChildNodes()
    room.current.append(screen.element)
    screen.show()
    screen.onLeave(onLeave)
    session.start().then(
      () => (isNew ? screen.focus() : undefined),
      ({ message }: Error) => onError(message),
    )
    const sizes = new ResizeObserver(() => screen.show())
    sizes.observe(room.current)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const recolour = () => screen.colour(screenColours())
    scheme.addEventListener('change', recolour)
    return () => {
      sizes.disconnect()
      scheme.removeEventListener('change', recolour)
      screen.element.remove()
    }
  }, [session])
  return <div ref={room} class="room" />
}
