import { commonKeywords, type EditorDialect } from '../editor-dialect.ts'

export const mysqlEditor: EditorDialect = {
  keywords:
    `${commonKeywords} straight_join lateral rlike regexp xor div mod binary rollup separator use force ignore index describe sounds`,
  types:
    'bigint binary bit blob char date datetime decimal double enum float int integer json longblob longtext mediumint mediumtext ' +
    'numeric real set signed smallint text time timestamp tinyint tinytext unsigned varbinary varchar year',
  builtin:
    'abs adddate any_value avg bit_and bit_or ceil char_length coalesce concat concat_ws convert_tz count curdate current_date ' +
    'current_timestamp curtime date date_add date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear dense_rank ' +
    'elt field find_in_set first_value floor format from_days from_unixtime greatest group_concat hex hour ifnull inet_ntoa instr ' +
    'json_array json_arrayagg json_contains json_extract json_object json_objectagg json_table json_unquote json_value lag last_day ' +
    'last_value lead least left length ln locate log lower lpad ltrim makedate max md5 mid min minute month monthname now nth_value ' +
    'ntile nullif percent_rank period_diff power quarter rand rank regexp_like regexp_replace regexp_substr repeat replace reverse ' +
    'right round row_number rpad rtrim sec_to_time second sha2 sign sqrt std stddev stddev_pop stddev_samp str_to_date strcmp ' +
    'subdate substring substring_index sum time time_to_sec timediff timestampadd timestampdiff to_days trim truncate unix_timestamp ' +
    'upper uuid var_pop var_samp variance week weekday weekofyear year yearweek',
  hashComments: true,
  spaceAfterDashes: true,
  backslashEscapes: true,
  doubleQuotedStrings: true,
  charSetCasts: true,
  operatorChars: '*+-%<>!=&|^',
  identifierQuotes: '`',
  reserved:
    'accessible add alter between bigint binary blob by call cascade change char character condition convert cross cube database ' +
    'databases dec decimal delete div double drop each elseif empty exists exit explain float force function generated get groups ' +
    'grouping if ignore index inner insert int integer interval is join key keys kill lag lead left like lines load lock long loop ' +
    'match mod natural numeric of optimize option out outer over partition precision procedure purge range rank read real recursive ' +
    'regexp release rename repeat replace require restrict return revoke right row row_number rows schema schemas separator set ' +
    'signal smallint spatial sql ssl starting stored system terminated trigger undo unlock unsigned update usage use values varchar ' +
    'varying virtual while write xor zerofill',
  formatter: 'mysql',
}
