import { systemClock } from '@querypost/server/ports'

/** Polls until the condition is true. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await systemClock.sleep(50)
}
