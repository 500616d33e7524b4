# npm run test:vm -- --script scripts/vm/classLimits.sh: the limits of participants with control groups of version 2. One
# participant runs a program that takes all memory, then a fork bomb; the lab of another one still answers.
set -eu
fail() { echo "FAILED: $1"; exit 1; }
[ -e /sys/fs/cgroup/cgroup.controllers ] || fail 'this kernel has no control groups of version 2'
node dist/cli.cjs workshop class ada bob --exercises nobody-home --participant-memory 300 --participant-tasks 150 \
  --results /out >/tmp/links 2>/tmp/notes &
class=$!
until grep -q '^bob' /tmp/links; do kill -0 $class || fail "no class: $(cat /tmp/notes)"; sleep 1; done
if grep 'no limits' /tmp/notes; then fail 'the class has no limits'; fi

origin=http://127.0.0.1:8480
# ask NAME METHOD PATH [BODY]
ask() {
  curl --fail --silent --show-error --no-buffer --max-time 600 --cookie "/tmp/$1.cookies" --cookie-jar "/tmp/$1.cookies" \
    --request "$2" --header 'content-type: application/json' ${4:+--data "$4"} "$origin$3"
}
# typed NAME COMMAND TEXT: types into a new terminal of the client until it shows a line that matches TEXT
typed() {
  id=$(ask "$1" POST /lab/api/v1/terminals '{"place":"client","rows":24,"columns":120}' | sed 's/.*"id":"\([^"]*\)".*/\1/')
  ask "$1" GET "/lab/api/v1/terminals/$id/output" >/tmp/shown &
  shown=$!
  ask "$1" POST "/lab/api/v1/terminals/$id/input" "{\"text\":\"$2\\r\"}" >/dev/null
  tries=0
  until grep -Eaq "$3" /tmp/shown; do
    tries=$((tries + 1))
    [ $tries -lt 240 ] || fail "$1: $2: $(cat /tmp/shown)"
    sleep 1
  done
  kill $shown 2>/dev/null || :
  echo "$1: $2: $(grep -Eaom1 "$3" /tmp/shown)"
}

for name in ada bob; do
  link=$(sed -n "s/^$name *//p" /tmp/links)
  curl --fail --silent --cookie-jar "/tmp/$name.cookies" "$link" >/dev/null
  ask $name POST /api/v1/exercises/nobody-home/start >/dev/null
done
typed ada 'tail /dev/zero; echo ended: $?' 'ended: 137'
typed bob 'echo still $((1 + 1))' 'still 2'
typed ada 'f() { f | f & }; f; sleep 60' '[Cc]annot fork|Resource temporarily unavailable'
typed bob 'for i in 1 2 3 4 5 6 7 8; do sleep 0 & done; wait; echo all $((4 + 4)) ran' 'all 8 ran'
ask bob POST /api/v1/exercises/nobody-home/check | grep -q '"solved":false' || fail 'bob cannot check'
kill -INT $class
wait $class || :
if [ -d /sys/fs/cgroup/vethlab-class ]; then fail 'control groups are left'; fi
echo 'the limits of one participant hold, and the other one was not affected'
