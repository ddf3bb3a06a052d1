/** The paths of programs, or undefined where the machine has none. */
export function findChromium(): string | undefined
export function findMariadb(): string | undefined
export function findClickhouse(): string | undefined
export function findPgbouncer(): string | undefined
export function installTestPrograms(): void
