import { systemClock } from '@querypost/server/ports'

/** Asks again and again until it is so. A test that waits for something else than time waits with this. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await systemClock.sleep(25)
}
