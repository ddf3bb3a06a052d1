import { expect, test } from 'vitest'
import { oidcFaultIn } from './oidc-faults.ts'

test('has a message for each known reason in the URL, and none for anything else', () => {
  expect(oidcFaultIn('?fault=not_invited&returnTo=%2F')).toMatch(/invite you/)
  for (const search of ['', '?fault=', '?fault=Call+this+number', '?fault=toString', '?fault=__proto__']) {
    expect(oidcFaultIn(search)).toBeUndefined()
  }
})
