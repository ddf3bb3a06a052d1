import type { Db } from '../../../store/db.ts'
import type { Caller } from '../../../model/caller.ts'
import { requireWebhooks } from '../../people/organization-settings.ts'
import { findUrlFault, type UrlDeps } from './check-endpoint.ts'
import type { Throttle } from '../../throttle.ts'

export type UrlCheck =
  /** `url`: as it would be stored. `addresses`: what it currently resolves to. */
  | { isAllowed: true; url: string; addresses: string[] }
  /** `mayChange`: the name may resolve another time; any other fault requires a different URL. */
  | { isAllowed: false; reason: string; mayChange: boolean }

/**
 * The result that saving this URL would have, for someone still typing it. Nothing is sent to it; at most its name is resolved. A
 * rejection names the rule and never what the name resolves to.
 */
export async function checkUrlAhead(
  deps: UrlDeps & { db: Db; urlChecks: Throttle },
  caller: Caller,
  text: string,
): Promise<UrlCheck> {
  await requireWebhooks(deps, caller)
  deps.urlChecks.take(caller.userId)
  const checked = await findUrlFault(deps, text)
  if ('fault' in checked) return { isAllowed: false, reason: checked.fault, mayChange: checked.layer === 'name' }
  return { isAllowed: true, url: checked.url.href, addresses: checked.addresses }
}
