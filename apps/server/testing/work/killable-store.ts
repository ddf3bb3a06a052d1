import type { Db } from '../../src/store/db.ts'

/**
 * A store that is unreachable once it is killed, as for a process that died: running statements may or may not complete, and
 * nothing follows them.
 */
export function killable(db: Db): { db: Db; kill(): void } {
  let isKilled = false
  return {
    db: new Proxy(db, {
      get(target, name) {
        if (isKilled) throw new Error('The process is dead.')
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    }),
    kill: () => void (isKilled = true),
  }
}
