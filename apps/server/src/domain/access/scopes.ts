import type { RequiredScope, Scope, ScopeAction } from '../../model/api-key-scope.ts'

export const actionOf = (scope: Scope): ScopeAction => scope.split(':', 1)[0] as ScopeAction

export const hasScope = (granted: readonly Scope[], required: RequiredScope): boolean =>
  granted.includes(required) || granted.includes(actionOf(required))
