import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { actionsNamed, auditGroups } from './actions.ts'
import { auditActions } from '../../model/audit-action.ts'

test('the documentation lists every action with the same text, in the same order', async () => {
  const page = await readFile(new URL('../../../../../docs/audit-log.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \| (.+) \|$/gm)].map(([, action, meaning]) => [action, meaning])
  expect(rows).toEqual(Object.entries(auditActions))
})

test('a name selects an action or a whole group', () => {
  expect(actionsNamed('api_key.created')).toEqual(['api_key.created'])
  expect(actionsNamed('api_key')).toEqual(['api_key.created', 'api_key.changed', 'api_key.revoked'])
  expect(actionsNamed('api')).toEqual([])
  expect(auditGroups).toContain('webhook_endpoint')
})
