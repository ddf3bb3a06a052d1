import { expect, test } from 'vitest'
import { findLicenseFault } from './licenses.mjs'

const withLicense = (id: string) => ({ 'bom-ref': 'x@1.0.0', licenses: [{ license: { id } }] })
const withExpression = (expression: string) => ({ 'bom-ref': 'x@1.0.0', licenses: [{ expression }] })

test('accepts permissive licenses, and our own packages', () => {
  expect(findLicenseFault(withLicense('MIT'))).toBeUndefined()
  expect(findLicenseFault(withExpression('(GPL-3.0-only OR MIT)'))).toBeUndefined()
  expect(findLicenseFault(withExpression('(BSD-2-Clause AND MIT)'))).toBeUndefined()
  expect(findLicenseFault({ 'bom-ref': '@querypost/server@0.1.0' })).toBeUndefined()
})

test('refuses other licenses, and packages that name none unless somebody has read them', () => {
  expect(findLicenseFault(withLicense('AGPL-3.0-only'))).toBe('has the license AGPL-3.0-only')
  expect(findLicenseFault(withExpression('(GPL-3.0-only AND MIT)'))).toBe('has the license (GPL-3.0-only AND MIT)')
  expect(findLicenseFault(withExpression('((MIT OR GPL-3.0-only) AND GPL-2.0-only)'))).toContain('has the license')
  expect(findLicenseFault({ 'bom-ref': 'png-js@2.0.0', licenses: [] })).toBeUndefined()
  expect(findLicenseFault({ 'bom-ref': 'png-js@9.0.0', licenses: [] })).toBe('names no license')
})
