import type { CompiledQuery, QueryResult, RawBuilder } from 'kysely'
import type { Db, Tx } from './db.ts'

/**
 * A statement whose text is always the same, so that it is built and compiled only once. For the statements of every request: building
 * a long one takes as much processor time as sending it. Each value must be used exactly once, in the given order.
 */
export function fixedStatement<Row, Values extends readonly unknown[]>(build: (db: Db | Tx, ...values: Values) => RawBuilder<Row>) {
  let compiled: CompiledQuery<Row> | undefined
  return (db: Db | Tx, ...values: Values): Promise<QueryResult<Row>> => {
    compiled ??= checked(build(db, ...values).compile(db), values)
    return db.executeQuery({ ...compiled, parameters: values })
  }
}

function checked<Row>(compiled: CompiledQuery<Row>, values: readonly unknown[]): CompiledQuery<Row> {
  const isInOrder = compiled.parameters.length === values.length && compiled.parameters.every((value, index) => value === values[index])
  if (!isInOrder) throw new Error('A fixed statement must use each of its values once, in order.')
  return compiled
}
