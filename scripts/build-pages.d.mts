export function buildPages(): void
