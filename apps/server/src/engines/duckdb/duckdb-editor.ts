import { commonKeywords, type EditorDialect } from '../editor-dialect.ts'

export const duckdbEditor: EditorDialect = {
  keywords:
    `${commonKeywords} asof positional semi anti lateral ilike similar to nulls first last groups qualify filter within try_cast at ` +
    'time zone sample tablesample pivot unpivot describe summarize exclude replace columns unnest grouping sets rollup cube glob ' +
    'returning materialized',
  types:
    'bigint bit blob boolean bool date datetime decimal double float hugeint integer int int8 int4 int2 json list map numeric ' +
    'real smallint struct text time timestamp timestamptz tinyint ubigint uhugeint uinteger usmallint utinyint uuid varchar',
  builtin:
    'abs age any_value approx_count_distinct approx_quantile arg_max arg_min array_agg avg bool_and bool_or ceil coalesce concat ' +
    'concat_ws contains corr count count_if current_date current_timestamp date_add date_diff date_part date_sub date_trunc ' +
    'dayname day dayofweek dense_rank epoch first_value floor format generate_series greatest group_concat histogram hour ifnull ' +
    'json_extract json_extract_string lag last_day last_value lead least left length list_agg ln log lower lpad ltrim make_date ' +
    'max md5 median min minute mode month monthname now nth_value ntile nullif percent_rank position power quantile_cont ' +
    'quantile_disc quarter random range rank regexp_extract regexp_matches regexp_replace repeat replace reverse right round ' +
    'row_number rpad rtrim second sign split_part sqrt starts_with stddev stddev_pop stddev_samp strftime string_agg strptime ' +
    'strlen substr substring sum time_bucket to_timestamp trim trunc typeof upper var_pop var_samp variance week weekofyear year',
  doubleDollarQuotedStrings: true,
  operatorChars: '+-*/<>=~!@%^&|?:',
  identifierQuotes: '"',
  caseInsensitiveIdentifiers: true,
  formatter: 'duckdb',
}
