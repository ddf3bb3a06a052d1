/** The height of a row of the grid and the space between tiles, in pixels. */
export const rowHeight = 68
export const gap = 12

/** The height of a tile of so many rows, with the spaces between them. */
export const heightOfRows = (rows: number) => rows * rowHeight + (rows - 1) * gap
