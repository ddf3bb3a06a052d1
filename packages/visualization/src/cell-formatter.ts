import type { Field } from './fields.ts'

/** Writes a value as people read it; null stays null. */
export type CellFormatter = (value: unknown) => string | null

/** Numbers that name something, or that are part of a date: separators would only get in the way. */
export const isIdentifier = ({ name }: Pick<Field, 'name'>) => /(^|_|\b)(id|key|code|zip|zipcode|postcode|uuid|phone|year)$/i.test(name)

export const isPercent = ({ name }: Pick<Field, 'name'>) => /(^|[^a-z])(percent|percentage|pct)([^a-z]|$)|%/i.test(name)
