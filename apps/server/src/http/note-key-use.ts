import type { FastifyRequest } from 'fastify'
import type { KeyUseRecorder } from '../domain/audit/key-use-recorder.ts'
import { originOf } from './authenticate.ts'

/** Records every request with a valid key, whatever its response. */
export function noteKeyUse(
  keyUse: Pick<KeyUseRecorder, 'note'>,
  request: FastifyRequest,
  ended: { method: string; route: string; status: number },
): void {
  if (!request.key) return
  const { keyId, keyName, caller } = request.key
  const { organizationId, userId } = caller
  const { method, route, status } = ended
  const { address } = originOf(request)
  keyUse.note({ organizationId, keyId, keyName, userId, route: `${method} ${route}`, status, address })
}
