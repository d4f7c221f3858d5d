#!/bin/bash
# Prints the path of the official SARIF 2.1.0 schema, fetched once from the npm package that ships
# it. Status 1 and a sentence if the registry cannot be reached.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
store=${HEDDLE_SCHEMA_DIR:-$root/build/sarif-schema}
package=@microsoft/jest-sarif@1.0.0-beta.0
schema=$store/package/lib/schemas/sarif-2.1.0-rtm.5.json

if [[ ! -e $schema ]]; then
  mkdir -p "$store"
  cd "$store"
  if ! command -v npm >/dev/null || ! timeout 60 npm pack --silent "$package" >/dev/null 2>&1; then
    echo "the npm package $package, which holds the SARIF schema, cannot be fetched" >&2
    exit 1
  fi
  tar xzf ./*.tgz
fi
echo "$schema"
