import { expect, test } from 'vitest'
import { scopes, scopesBeforeScopes } from '../../model/api-key-scope.ts'
import { hasScope, scopesOfAssistant } from './scopes.ts'

test('an action covers all its resources, and no other action', () => {
  expect(hasScope(['write'], 'write:boards')).toBe(true)
  expect(hasScope(['write'], 'read:boards')).toBe(false)
  expect(hasScope(['admin'], 'write:boards')).toBe(false)
})

test('an action on one resource covers only that', () => {
  expect(hasScope(['read', 'write:boards'], 'write:boards')).toBe(true)
  expect(hasScope(['read', 'write:boards'], 'write:folders')).toBe(false)
})

test('every scope is listed once', () => {
  expect(new Set(scopes).size).toBe(scopes.length)
  expect(scopes).toEqual(expect.arrayContaining(['read', 'run', 'write', 'admin', ...scopesBeforeScopes]))
})

test('an assistant may change something only if the scopes of its key were chosen', () => {
  expect(scopesOfAssistant({ scopes: scopesBeforeScopes, hasChosenScopes: false })).toEqual(['read', 'run'])
  expect(scopesOfAssistant({ scopes: ['read', 'write:boards'], hasChosenScopes: true })).toEqual(['read', 'write:boards'])
})
