import type { RequiredScope, Scope, ScopeAction } from '../../model/api-key-scope.ts'

export const actionOf = (scope: Scope): ScopeAction => scope.split(':', 1)[0] as ScopeAction

export const hasScope = (granted: readonly Scope[], required: RequiredScope): boolean =>
  granted.includes(required) || granted.includes(actionOf(required))

/**
 * What an assistant may do with a key. One that was created without scopes never let an assistant change anything, although programs
 * could, and text that a model reads must not begin to do so. Whoever wants that creates a key with scopes.
 */
export const scopesOfAssistant = (key: { scopes: readonly Scope[]; hasChosenScopes: boolean }): Scope[] =>
  key.scopes.filter((scope) => key.hasChosenScopes || ['read', 'run'].includes(actionOf(scope)))
