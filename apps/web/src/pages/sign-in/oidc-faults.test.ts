import { expect, test } from 'vitest'
import { oidcFaultIn } from './oidc-faults.ts'

test('the reason in the address has words; what is not a reason has none', () => {
  expect(oidcFaultIn('?fault=not_invited&returnTo=%2F')).toMatch(/invite you/)
  for (const search of ['', '?fault=', '?fault=Call+this+number', '?fault=toString', '?fault=__proto__']) {
    expect(oidcFaultIn(search)).toBeUndefined()
  }
})
