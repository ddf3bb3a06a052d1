import { expect, test } from 'vitest'
import { textsAt } from './oidc-provider.ts'

const claims = {
  roles: ['admin', 7, 'editor'],
  role: 'admin',
  realm_access: { roles: ['admin'] },
  'https://acme.test/roles': ['boss'],
}

test.each([
  ['roles', ['admin', 'editor']],
  ['role', ['admin']],
  ['realm_access.roles', ['admin']],
  ['https://acme.test/roles', ['boss']],
  ['realm_access', []],
  ['realm_access.missing.deeper', []],
  ['role.length', []],
  ['constructor.name', []],
  ['__proto__', []],
])('the texts of the claim %s', (path, texts) => expect(textsAt(claims, path)).toEqual(texts))
