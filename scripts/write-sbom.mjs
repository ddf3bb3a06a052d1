// `npm run sbom`: lists every package that the published service contains, the web app included, with versions, licenses and dependencies, as CycloneDX in
// sbom.json (or the file given as an argument). Fails if a license may not be shipped.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findLicenseFault } from './licenses.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const file = process.argv[2] ?? 'sbom.json'
const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--omit', 'dev', '-w', 'apps/cli', '-w', 'apps/web']
const { status, stdout, stderr } = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
if (status !== 0) {
  process.stderr.write(stderr)
  process.exit(1)
}
writeFileSync(file, stdout)
const { components } = JSON.parse(stdout)
const faults = components.flatMap((component) => {
  const fault = findLicenseFault(component)
  return fault ? [`${component['bom-ref']} ${fault}`] : []
})
for (const fault of faults) process.stderr.write(`${fault}\n`)
process.stdout.write(`${file}: ${components.length} packages, ${faults.length} with a license that may not be shipped\n`)
process.exit(faults.length > 0 ? 1 : 0)
