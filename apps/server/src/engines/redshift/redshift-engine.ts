import type { Engine } from '../engine.ts'
import { openPostgresEngine, type PostgresOptions } from '../postgres/postgres-engine.ts'
import { redshiftSyntax } from './redshift-syntax.ts'

/** Redshift speaks PostgreSQL's protocol. The engine notices the differences by the server's version (`postgres/version.ts`). */
export const openRedshiftEngine = (options: PostgresOptions): Engine =>
  openPostgresEngine({ ...options, kind: 'redshift', lexicalRules: redshiftSyntax.lexicalRules })
