# Bundles of all functions, templates of three stages, and a deployment into an emulator.

# cfn-lint is a Python package. The output says so if it could not be installed.
install_cfn_lint() {
  python3 -m venv "$reports/python" && "$reports/python/bin/pip" install -q cfn-lint
}

lint_templates() { "$reports/python/bin/cfn-lint" --regions eu-central-1 --template "$1"/*.template.json; }

bundle_functions() {
  npm exec -- node --input-type=module --eval \
    'const { loadBundles } = await import("./infra/aws/bundle-store.ts"); await loadBundles(process.env.TESSERA_BUNDLES);'
}

every_option=(--management-guard keys --rate-limit 90 --rate 3000 --burst 2000 --till-executions 200
  --mail-sender hello@shop.example --alarm-email ops@shop.example --ticket-email team@shop.example
  --distribution on --backup daily --project-metrics on --agents act --reports on
  --domain api.shop.example --certificate arn:aws:acm:us-east-1:123456789012:certificate/one
  --web-acl arn:aws:wafv2:us-east-1:123456789012:global/webacl/shop/one
  --event-targets sqs:orders)

step bundle_functions
step npm run --silent synth -- --stage dev --output "$reports/dev"
step npm run --silent synth -- --stage prod "${every_option[@]}" --output "$reports/prod"
# A stage that a company declares for itself is protected without another word.
echo '{"live": {}}' >"$reports/stages.json"
step npm run --silent synth -- --stages "$reports/stages.json" --stage live "${every_option[@]}" --output "$reports/live"
if install_cfn_lint >/dev/null 2>&1; then
  for stage in dev prod live; do step lint_templates "$reports/$stage"; done
else
  echo 'no cfn-lint could be installed: it does not check the templates'
fi
# It says so if no Python can be had for the emulator.
step npm run --silent deployment-test -- --dev "$reports/dev" --prod "$reports/prod"
