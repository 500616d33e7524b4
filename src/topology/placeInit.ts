import { shellWord } from '../text/shellWord.js'
import { confined } from './confined.js'

/** The folder, inside the sandbox, of the file systems of places and containers. */
export const placesFolder = '/run/vethlab/places'

/** The folder of the files of the lab, for commands of places without files of their own; no place has such a name. */
export const labFilesFolder = `${placesFolder}/@lab`

const limited = confined.map(shellWord).join(' ')

/**
 * The end of a script that makes files, in `$folder`: a sleeping process holds the namespaces, with the given root of the files;
 * `pid` in the folder contains its pid when all is ready. It has no more rights than the commands that enter it, which could not
 * have its root otherwise. Mounts do not hold them (`unshare --mount=FILE`), because Linux 6.18 sometimes rejected such a mount,
 * for unknown reasons.
 */
export function keepFiles(root: string): string {
  return `
${limited} chroot ${root} sleep infinity </dev/null >/dev/null 2>&1 &
echo $! >"$folder/pid.new"
mv "$folder/pid.new" "$folder/pid"
`
}

/**
 * The script that gives a place its own files, a constant text: user input never becomes part of it. It runs in new mount
 * and UTS namespaces, with a folder, the host name, and what to create:
 * - `etc`: /etc alone, with the files of the folder's `etc/` on top;
 * - `root`: everything. The sandbox's files can be read, and writes stay in memory; /proc, /sys, /dev and
 *   /run are the sandbox's. `volumes` in the folder lists what is mounted where, and the modes of files.
 *
 * It runs with rights, so it executes no program of the place: a volume can hide any folder. A path of a volume that has links is
 * resolved by a program of the place, with fewer rights, so that it stays in the place.
 */
export const placeInit = `
set -e
folder=$1 own=$folder/own root=$folder/own/root number=0
layer() {
  number=$((number + 1))
  mkdir "$own/upper.$number" "$own/work.$number"
  chmod --reference="$1" "$own/upper.$number"
  layers="lowerdir=$1,upperdir=$own/upper.$number,workdir=$own/work.$number"
  mount -t overlay -o "$layers" overlay "$2" 2>"$own/why"
}
as_it_is() {
  mount --rbind "$1" "$2" && { mount -o remount,bind,ro "$2" || { umount "$2"; false; }; }
}
# sets where to the path that the place calls $1
find_in_place() {
  where=$root$1 at=$root rest=\${1#/}/
  while [ -n "$rest" ]; do
    name=\${rest%%/*} rest=\${rest#*/}
    at=$at/$name
    if [ -L "$at" ] || [ "$name" = .. ]; then
      where=$root$(${limited} chroot "$root" readlink -m "$1")
      return
    fi
  done
}
hostname "$2"
mkdir -p "$own"
mount -t tmpfs -o mode=755 tmpfs "$own"
if [ "$3" = etc ]; then
  layer /etc /etc || { cat "$own/why" >&2; exit 1; }
  [ ! -e ${labFilesFolder}/hosts ] || cp --remove-destination ${labFilesFolder}/hosts /etc
  cp --remove-destination "$folder"/etc/* /etc
  ${keepFiles('/')}
  exit
fi
mkdir "$root"
mount --bind "$root" "$root"
points=' '
while read -r _ _ _ _ point _; do points="$points$point "; done </proc/self/mountinfo
for entry in /*; do
  case $entry in
    /proc | /sys | /dev | /run)
      mkdir "$root$entry"
      mount --rbind "$entry" "$root$entry"
      continue
      ;;
    /tmp) mkdir -m 1777 "$root/tmp" && continue ;;
    /etc) ;;
    # links, and folders of the sandbox's own root
    *) case $points in *" $entry "*) ;; *) cp -ax "$entry" "$root" && continue ;; esac ;;
  esac
  mkdir "$root$entry"
  layer "$entry" "$root$entry" || as_it_is "$entry" "$root$entry" || { cat "$own/why" >&2; exit 1; }
done
for point in $points; do
  case $point in /proc/* | /sys/* | /dev/* | /run/* | /etc/* | /var/tmp) continue ;; esac
  point=$(printf '%b' "$point")
  case $point in /*/*) ;; *) continue ;; esac
  if [ -d "$point" ]; then
    mkdir -p "$root$point"
    layer "$point" "$root$point" || as_it_is "$point" "$root$point" 2>/dev/null || :
  elif [ -f "$point" ]; then
    mkdir -p "$root\${point%/*}"
    [ -e "$root$point" ] || : >"$root$point"
    as_it_is "$point" "$root$point" 2>/dev/null || :
  fi
done
cp --remove-destination "$folder"/etc/* "$root/etc"
tab=$(printf '\\t')
while IFS=$tab read -r what source target; do
  if [ "$what" = mode ]; then chmod "$source" "$target"; continue; fi
  # an emptyDir, or a folder of it that does not exist yet
  [ -e "$source" ] || mkdir -p "$source"
  find_in_place "$target"
  if [ -d "$source" ]; then
    mkdir -p "$where"
    exec 4<"$where"
  else
    mkdir -p "\${where%/*}"
    exec 4<>"$where"
  fi
  # a pod with the same volume can have put a link there meanwhile
  at=$(readlink "/proc/$$/fd/4")
  case $at in "$root" | "$root"/*) ;; *) echo "$target leads out of the place" >&2; exit 1 ;; esac
  mount --no-canonicalize --bind "$source" /proc/self/fd/4
  exec 4<&-
  if [ "$what" = read-only ]; then mount -o remount,bind,ro "$at"; fi
done <"$folder/volumes"
cd "$root"
# not pivot_root, which Docker's own seccomp profile forbids: who enters the namespace gets what is mounted on top
mount --move . /
${keepFiles('.')}`

/** The script that removes it: ends the process that holds the namespaces, then deletes the folders. */
export const goneInit = `
for folder in "$1" "$1"+*; do
  [ -f "$folder/pid" ] || continue
  kill "$(cat "$folder/pid")"
  rm -rf "$folder"
done
`
