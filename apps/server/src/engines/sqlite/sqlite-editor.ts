import { commonKeywords, type EditorDialect } from '../editor-dialect.ts'

export const sqliteEditor: EditorDialect = {
  keywords: `${commonKeywords} glob match regexp isnull notnull indexed nulls first last filter groups exclude ties others materialized`,
  types: 'blob boolean date datetime decimal double float int integer json numeric real text timestamp varchar',
  builtin:
    'abs avg ceil char coalesce concat concat_ws count cume_dist current_date current_time current_timestamp date datetime ' +
    'dense_rank exp first_value floor format glob group_concat hex ifnull iif instr json json_array json_array_length json_each ' +
    'json_extract json_group_array json_group_object json_object json_tree json_type julianday lag last_value lead length like ln log ' +
    'lower ltrim max min mod nth_value ntile nullif percent_rank power printf quote random rank replace round row_number rtrim sign ' +
    'sqrt strftime string_agg substr substring sum time timediff total trim typeof unicode unixepoch upper',
  operatorChars: '+-*/%<>=!|&~',
  identifierQuotes: '"`',
  caseInsensitiveIdentifiers: true,
  reserved:
    'add alter autoincrement between by commit deferrable delete drop escape exists if index insert is isnull join like natural ' +
    'notnull raise set transaction update values',
  formatter: 'sqlite',
}
