export function findBigqueryEmulator(): { modules: string; home: string } | undefined
export function installBigqueryEmulator(): void
