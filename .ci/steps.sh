# Functions of the jobs: they run steps, count tests, and end with the failures. `.ci/run` sources this file.

passed=0
failed=0
reports=$(mktemp -d)
trap 'rm -rf "$reports"' EXIT
# Tests and stages deploy the same code: each function is bundled once, by the first step that needs it.
export TESSERA_BUNDLES="${TESSERA_BUNDLES:-$reports/bundles}"
seconds=()
failures=()
# A log may be cut, and a reader looks at its end. Names come last, and longer texts before them.
most_names=60

took() {
  seconds+=("$2 s: $1")
  echo "-- $2 s: $1"
}

# A step has no tests. It changes the numbers only when it fails.
step() {
  local began=$SECONDS status=0 name="$*"
  name=${name:0:100}
  echo "== $*"
  "$@" || status=$?
  took "$name" "$((SECONDS - began))"
  [ "$status" = 0 ] && return
  failures+=("$name")
  failed=$((failed + 1))
  return 1
}

# One of the test commands on one engine. Its report says how many tests passed. Further arguments are vitest's.
suite() {
  local command=$1 engine=$2 began=$SECONDS status=0
  local report="$reports/${1//:/-}-$2.json" name="npm run $1 on $2"
  shift 2
  echo "== $name"
  DYNAMODB_ENGINE=$engine npm run "$command" -- --reporter=default --reporter=json --outputFile.json="$report" "$@" || status=$?
  took "$name" "$((SECONDS - began))"
  local own_passed=0 own_failed=0 texts="$reports/texts"
  { read -r own_passed own_failed; mapfile -t -O "${#failures[@]}" failures; } < <(
    node .ci/failures.mjs "$report" "$engine" "$texts" 2>/dev/null || echo '0 0'
  )
  passed=$((passed + own_passed))
  failed=$((failed + own_failed))
  # The command failed before or after its tests, or it ran none.
  if [ "$own_failed" = 0 ] && { [ "$status" != 0 ] || [ "$own_passed" = 0 ]; }; then
    failures+=("$name")
    failed=$((failed + 1))
  fi
}

finish() {
  [ ! -f "$reports/texts" ] || cat "$reports/texts"
  printf '%s\n' "${seconds[@]}"
  if [ "${#failures[@]}" -gt 0 ]; then
    printf 'FAILED %s\n' "${failures[@]:0:$most_names}"
    [ "${#failures[@]}" -le "$most_names" ] || echo "FAILED $((${#failures[@]} - most_names)) more"
  fi
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

apt_install() {
  command -v apt-get >/dev/null || return 0
  local sudo=''
  [ "$(id -u)" = 0 ] || sudo='sudo -n'
  $sudo apt-get update -qq && $sudo apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

java_version() { java -version 2>&1 | sed -nE 's/.*version "([0-9]+).*/\1/p'; }

install_java() {
  [ "$(java_version || echo 0)" -ge 17 ] 2>/dev/null && return
  apt_install openjdk-17-jre-headless
}
