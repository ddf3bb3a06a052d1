/**
 * Words:
 * - An *attribute* is a text about a member, such as the region, set by admins or by the identity provider.
 * - A *row rule* of a database says what an attribute decides when a member's query runs there: the value of a parameter, or the setting,
 *   role or user of the session, by which the database selects the rows itself.
 * - A *binding* is what one rule gives for one member. A run keeps its bindings, and only people with equal ones see it.
 */
export const sessionBindingKinds = ['setting', 'role', 'user'] as const
export type SessionBindingKind = (typeof sessionBindingKinds)[number]

export const rowRuleKinds = ['parameter', ...sessionBindingKinds] as const
export type RowRuleKind = (typeof rowRuleKinds)[number]

export interface RowRule {
  attribute: string
  kind: RowRuleKind
  /** Of the parameter or the setting; null for a role and a user. */
  name: string | null
  /** The value for automations, which run for nobody in particular. Null: they can't query the database. */
  automationValue: string | null
}

export type RowBinding = Pick<RowRule, 'kind' | 'name'> & { value: string }

export interface MemberAttribute {
  userId: string
  name: string
  value: string
  isFromProvider: boolean
}

export const rowRuleLimits = { rules: 20, attributes: 50, nameCharacters: 64, valueCharacters: 500 } as const

/** Begins with a letter, so that it differs from every text of bindings. */
export const attributeNamePattern = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_.-]{0,63}$/
