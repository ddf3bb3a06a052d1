import type { RequiredScope, Scope, ScopeAction } from '../../model/api-key-scope.ts'

export const actionOf = (scope: Scope): ScopeAction => scope.split(':', 1)[0] as ScopeAction

export const hasScope = (granted: readonly Scope[], required: RequiredScope): boolean =>
  granted.includes(required) || granted.includes(actionOf(required))

/**
 * What an assistant may do with a key. Keys without scopes of their own were created when no tool could change anything, so they allow
 * assistants only to read and run: a text that a model reads must not begin to change things because the service was updated.
 */
export const scopesOfAssistant = (key: { scopes: readonly Scope[]; hasChosenScopes: boolean }): Scope[] =>
  key.scopes.filter((scope) => key.hasChosenScopes || ['read', 'run'].includes(actionOf(scope)))
