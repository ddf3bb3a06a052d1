// Writes vectors.json: `npm run vectors`. All inputs are fixed, so the output is always the same.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { acceptedVectors } from './accepted-vectors.ts'
import { refusedVectors } from './refused-vectors.ts'

const description =
  'Test vectors for receivers of Querypost webhooks. Verify body (its UTF-8 bytes) or bodyBase64 with headers and ' +
  'secrets at the time now (seconds since 1970). expected is the event, or the code of the error. README.md ' +
  'describes the signing scheme.'

export function makeVectors(): string {
  return `${JSON.stringify({ description, vectors: [...acceptedVectors, ...refusedVectors] }, null, 2)}\n`
}

if (import.meta.main) writeFileSync(fileURLToPath(new URL('../vectors.json', import.meta.url)), makeVectors())
