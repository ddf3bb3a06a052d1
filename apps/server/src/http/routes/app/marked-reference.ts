import type { FastifyRequest } from 'fastify'
import { readVerification } from '../../../domain/knowledge/verify-reference.ts'
import type { QueryServices } from '../../../domain/services.ts'
import type { ReferenceInFull } from '../../../model/reference.ts'
import { callerOf } from '../../authenticate.ts'
import { presentReferenceInFull, presentVerification } from '../../present.ts'

/** A reference in full, and whether it is verified. */
export async function presentMarkedReference(services: QueryServices, request: FastifyRequest, reference: ReferenceInFull) {
  const verification = await readVerification(services, callerOf(request), reference)
  const { freshForSeconds } = reference
  return { ...presentReferenceInFull(reference), freshForSeconds, verification: verification && presentVerification(verification) }
}
