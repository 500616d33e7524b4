import { existsSync } from 'node:fs'
import { release } from 'node:os'

/** What decides how a kernel feature gets loaded. */
export interface ModuleHost {
  /** Release of the kernel, as `uname -r` prints it. */
  readonly release: string
  /** Whether the modules of this kernel are installed here. */
  readonly hasModules: boolean
  readonly inContainer: boolean
}

/** How to get the modules (arguments of modprobe) into the kernel, or the option that another kernel needs. */
export function loadModules(modules: string, option?: string, host: ModuleHost = thisHost()): string {
  const feature = option ?? modules
  // Docker Desktop: its virtual machine has a fixed kernel, and no shell of the user
  if (/linuxkit/.test(host.release))
    return `the kernel of Docker Desktop has no ${feature}: use a virtual machine with Lima or Vagrant (docs/vm.md)`
  // before 6.6.36 without loadable modules: https://github.com/microsoft/WSL/issues/11742
  if (/microsoft/i.test(host.release))
    return `update the kernel in Windows (wsl --update), then in a WSL distribution: sudo modprobe ${modules}`
  if (host.hasModules) return `sudo modprobe ${modules}`
  if (host.inContainer)
    return `on the host: sudo modprobe ${modules}; in Podman's machine: podman machine ssh sudo modprobe ${modules}`
  return `this kernel has no modules: use a kernel with ${feature} built in`
}

function thisHost(): ModuleHost {
  return {
    release: release(),
    hasModules: existsSync(`/lib/modules/${release()}`),
    inContainer: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
  }
}
