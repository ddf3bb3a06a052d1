export function findTrino(): { home: string; java: string } | undefined
export function installTrino(): void
export function installTrinoConnectors(): string
