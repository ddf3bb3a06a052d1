export function findKeycloak(): { home: string; javaHome: string } | undefined
export function installKeycloak(): void
