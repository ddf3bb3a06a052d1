export function underTimes(program: string, args: string[]): string[]
export function cpuSeconds(times: string): number
export function describeCpu(times: Map<string, number>): string
export function slowest(files: { file: string; seconds: number }[], count: number): string[]
