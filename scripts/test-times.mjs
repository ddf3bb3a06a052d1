/**
 * Arguments for `sh`: runs a program, then writes the CPU time of the program and its descendants to file descriptor 3.
 *
 * The shell counts a process once its parent has waited for it. That covers Vitest's workers, PostgreSQL and the services that tests
 * start. It misses processes that outlive their parent, such as some of a browser's.
 */
export function underTimes(program, args) {
  return ['-c', '"$@" 3>&-; code=$?; times >&3; exit $code', 'sh', program, ...args]
}

/** Sums the output of POSIX `times`: user and system time of the shell and of its children. */
export function cpuSeconds(times) {
  return [...times.matchAll(/(\d+)m(\d+(?:\.\d+)?)s/g)].reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0)
}

/** `1204 CPU seconds: vitest 1130, tsc 36, oxlint 38` */
export function describeCpu(times) {
  const parts = [...times].map(([command, seconds]) => `${command} ${seconds.toFixed(0)}`)
  const sum = [...times.values()].reduce((total, seconds) => total + seconds, 0)
  return `${sum.toFixed(0)} CPU seconds: ${parts.join(', ')}`
}

/** One line for each of the slowest files. */
export function slowest(files, count) {
  return files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
}
