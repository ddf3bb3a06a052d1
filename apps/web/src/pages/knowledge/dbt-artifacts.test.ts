import { expect, test } from 'vitest'
import { artifactsIn, joinArtifacts } from './dbt-artifacts.ts'

test('finds the artifacts among the chosen files', () => {
  expect(artifactsIn([{ name: 'run_results.json' }, { name: 'sources.json' }, { name: 'manifest.json' }])).toEqual({
    manifest: { name: 'manifest.json' },
    sources: { name: 'sources.json' },
  })
})

test('joins the artifacts into one JSON document', async () => {
  const joined = joinArtifacts({ manifest: new Blob(['{"nodes": {}}']), catalog: new Blob(['{"a": 1}\n']) })
  expect(JSON.parse(await joined.text())).toEqual({ manifest: { nodes: {} }, catalog: { a: 1 } })
  expect(await joinArtifacts({ manifest: new Blob(['{}']) }).text()).toBe('{"manifest":{}}')
})
