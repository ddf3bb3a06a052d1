export type { Figure, FigureSource } from './figure.ts'
