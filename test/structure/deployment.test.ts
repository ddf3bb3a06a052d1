import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { parseContainerfile } from '../containers/parse-containerfile.ts'

/** What can be said about the deployment files without executing them; `npm run containers` does that. */
const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
const stages = parseContainerfile(read('deploy/Containerfile'))
const documented = new Set([...read('docs/configuration.md').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name]) => name))
const isSetting = (name: string) => documented.has(name) || ['NODE_ENV', 'NODE_COMPILE_CACHE'].includes(name)

test('the image sets only variables that exist', () => {
  const names = stages.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'env' ? [step.name] : [])))
  expect(names).toContain('DATA_DIR')
  expect(names.filter((name) => !isSetting(name))).toEqual([])
})

test('Compose and Kubernetes set only variables that exist', () => {
  const compose = parse(read('deploy/compose.yaml'), { merge: true }) as { services: Record<string, { environment: Record<string, string> }> }
  const { postgres: _, ...ours } = compose.services
  const folder = new URL('../../deploy/kubernetes/', import.meta.url)
  const config = readdirSync(folder)
    .flatMap((name) => parseAllDocuments(read(`deploy/kubernetes/${name}`)).map((document) => document.toJS() as { kind: string; data?: object }))
    .filter(({ kind }) => kind === 'ConfigMap')
  const names = [...Object.values(ours).map(({ environment }) => environment), ...config.map(({ data }) => data!)].flatMap(Object.keys)
  expect(names).toEqual(expect.arrayContaining(['DATABASE_URL', 'ROLE', 'BASE_URL', 'TRUST_PROXY']))
  expect(names.filter((name) => !isSetting(name))).toEqual([])
})

test('a step that the checks would not execute is an error', () => {
  expect(() => parseContainerfile('FROM debian\nADD https://example.com/x /x\n')).toThrow('Not understood: ADD')
  expect(() => parseContainerfile('FROM debian\nRUN a \\\n  && b\n')).toThrow('Not understood')
})
