export function findChromium(): string | undefined
export function installChromium(): void
