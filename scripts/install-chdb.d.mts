export function findChdb(): string | undefined
export function installChdb(): void
