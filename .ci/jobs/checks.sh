# Static checks.

# A subject is an imperative of at most 72 characters. A clone without history has nothing to look at.
check_subjects() {
  [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" = false ] || return 0
  ! git log -50 --no-merges --format=%s | grep -E '^.{73,}|^[^A-Z]|^(Added|Adds|Adding|Fixed|Fixes|Fixing|Updated|Updates|Removed|Removes|Changed|Changes) '
}

step check_subjects
step npm run --silent check
