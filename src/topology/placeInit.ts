/** The folder, inside the sandbox, of the file systems of places and containers. */
export const placesFolder = '/run/vethlab/places'

const keep = `sleep infinity </dev/null >/dev/null 2>&1 &
echo $! >"$folder/pid.new"
mv "$folder/pid.new" "$folder/pid"
`

/**
 * The script that gives a place its own files, a constant text: user input never becomes part of it. It runs in new mount
 * and UTS namespaces, with a folder, the host name, what to create, and `placeMounts`:
 * - `etc`: /etc alone, with the files of the folder's `etc/` on top;
 * - `root`: everything. The host's files can be read, and writes stay in memory; /proc, /sys, /dev and
 *   /run are the sandbox's. `volumes` in the folder lists what is mounted where, and the modes of files.
 *
 * A sleeping process holds the namespaces; `pid` in the folder contains its pid when all is ready. Mounts do not hold them
 * (`unshare --mount=FILE`), because Linux 6.18 sometimes rejected such a mount, for unknown reasons.
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
  mount --bind "$1" "$2" && { mount -o remount,bind,ro "$2" || { umount "$2"; false; }; }
}
hostname "$2"
mkdir -p "$own"
mount -t tmpfs -o mode=755 tmpfs "$own"
if [ "$3" = etc ]; then
  umount /etc 2>/dev/null || :
  layer /etc /etc || { cat "$own/why" >&2; exit 1; }
  cp --remove-destination "$folder"/etc/* /etc
else
  mkdir "$root"
  if layer / "$root"; then :; else
    # the kernel refuses this to users who may not take away what is mounted on top: one by one then
    mount --bind "$root" "$root"
    for entry in /*; do
      if [ -L "$entry" ]; then cp -P "$entry" "$root"; continue; fi
      [ -d "$entry" ] || continue
      mkdir "$root$entry"
      case $entry in
        /proc | /sys | /dev | /run) ;;
        /etc) layer "$entry" "$root$entry" || { cat "$own/why" >&2; exit 1; } ;;
        *) layer "$entry" "$root$entry" || as_it_is "$entry" "$root$entry" 2>/dev/null || : ;;
      esac
    done
  fi
  for name in proc sys dev run; do mount --rbind "/$name" "$root/$name"; done
  while read -r _ _ _ _ point _; do
    point=$(printf '%b' "$point")
    case $point in
      / | /proc | /proc/* | /sys | /sys/* | /dev | /dev/* | /run | /run/* | /etc | /etc/*) continue ;;
    esac
    [ -d "$point" ] && [ -d "$root$point" ] || continue
    layer "$point" "$root$point" || as_it_is "$point" "$root$point" 2>/dev/null || :
  done </proc/self/mountinfo
  cp --remove-destination "$folder"/etc/* "$root/etc"
  cd "$root"
  # not pivot_root, which Docker's own seccomp profile forbids: who enters the namespace gets what is mounted on top
  mount --move . /
  exec chroot . sh -c "$4" files-of-a-place "$folder"
fi
${keep}`

/** The script that runs inside a place's own root, with the folder: links cannot leave it there. */
export const placeMounts = `
set -e
folder=$1
tab=$(printf '\\t')
while IFS=$tab read -r what source target; do
  case $what in
    mode) chmod "$source" "$target" ;;
    *)
      # an emptyDir, or a folder of it that nobody has made yet
      [ -e "$source" ] || mkdir -p "$source"
      if [ -d "$source" ]; then mkdir -p "$target"; else
        mkdir -p "\${target%/*}"
        [ -e "$target" ] || : >"$target"
      fi
      mount --bind "$source" "$target"
      if [ "$what" = read-only ]; then mount -o remount,bind,ro "$target"; fi
      ;;
  esac
done <"$folder/volumes"
${keep}`

/** The script that removes it: ends the process that holds the namespaces, then deletes the folders. */
export const goneInit = `
for folder in "$1" "$1"+*; do
  [ -f "$folder/pid" ] || continue
  kill "$(cat "$folder/pid")"
  rm -rf "$folder"
done
`
