/**
 * The conformance suite for every engine: call `engineConformance({ name, open })` in a test file. `open` creates a database with
 * the `fixture` statements and an engine on it.
 */
import { afterAll, beforeAll, describe, it } from 'vitest'
import { limitTests } from './conformance/limits.ts'
import { parameterTests } from './conformance/parameters.ts'
import { resultTests } from './conformance/results.ts'
import { lostConnectionTests, restartTests, settingsTests } from './conformance/servers.ts'
import { statementTests } from './conformance/statements.ts'
import { processListTests, stoppingTests } from './conformance/stopping.ts'
import {
  conformanceSql, type Ability, type ConformanceSql, type ConformanceSubject, type Suite, type TypeStatements,
} from './conformance/subject.ts'
import { typeTests } from './conformance/types.ts'

export { errorOf, failureOf, never, readAll, type ReadResult } from './conformance/reading.ts'
export { backslashStringPlaces, conformanceSql, rowsSql, type Ability, type ConformanceSql, type ConformanceSubject } from './conformance/subject.ts'

/** The statements that a dialect overrides. */
export type OwnSql = Partial<Omit<ConformanceSql, 'types'>> & { types?: Partial<TypeStatements> }

const abilityTests: Record<Ability, (suite: Suite) => void> = {
  statementsRunning: processListTests,
  dropConnections: lostConnectionTests,
  restart: restartTests,
  openWith: settingsTests,
}

const declareTest: Suite['it'] = it

export function engineConformance(options: {
  name: string
  open: (sql: ConformanceSql) => Promise<ConformanceSubject>
  sql?: OwnSql
  /** What `open` provides besides the engine. Tests that need an ability run only if it is listed. */
  abilities?: Ability[]
  /** Tests that the counterpart fails though the engine is right, each with the reason. Other tests have to cover them. */
  faults?: Record<string, string>
}): void {
  const types = { ...conformanceSql.types, ...options.sql?.types }
  const sql: ConformanceSql = { ...conformanceSql, ...options.sql, types }
  const abilities = new Set(options.abilities)

  describe(`${options.name} conforms`, () => {
    let subject: ConformanceSubject
    const faults = new Set(Object.keys(options.faults ?? {}))
    const names: string[] = []
    const suite: Suite = {
      sql,
      subject: () => subject,
      engine: () => subject.engine,
      it(name, run) {
        names.push(name)
        if (!faults.has(name)) declareTest(name, run)
      },
    }

    beforeAll(async () => {
      subject = await options.open(sql)
      for (const ability of abilities) if (!subject[ability]) throw new Error(`The subject does not provide ${ability}.`)
    })

    afterAll(async () => {
      await subject.engine.close()
      await subject.release()
    })

    resultTests(suite)
    typeTests(suite)
    statementTests(suite)
    parameterTests(suite)
    stoppingTests(suite)
    limitTests(suite)
    for (const ability of abilities) abilityTests[ability](suite)
    for (const fault of faults) if (!names.includes(fault)) throw new Error(`There is no test "${fault}" to leave out.`)
  })
}
