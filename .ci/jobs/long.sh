# Tests with larger sizes, on the engine that is quick enough for them.

# Tests of pages say so if they have no browser.
install_browser() {
  command -v chromium google-chrome >/dev/null && return
  apt_install chromium
}

# Some tests start DynamoDB Local themselves.
step install_java
install_browser || echo 'no browser could be installed'
LONG_TESTS=1 suite test:quick dynoxide
LONG_TESTS=1 suite test:long dynoxide
# One turn of each subject without limits shows that the bench still works.
step env BENCH_ONCE=1 DYNAMODB_ENGINE=dynoxide npm run --silent bench -- --json "$reports/bench.json"
