import { wordSet } from './fold.ts'

/**
 * Words that say nothing about the unit of the number before them: articles, prepositions, conjunctions, pronouns, auxiliary and
 * reporting verbs, adverbs. Any other word after a figure has to be the name of what it counts.
 */
const words = wordSet(
  // English
  `a an the this that these those it its they their them he she we our us you your i and or nor but yet so as at by for from in into of off on onto out
   to toward towards with within without about across after against along amid among around before behind beside besides between beyond
   during except inside near outside per since than through throughout till until upon via versus vs while whereas when where which who whose
   whom what why how if because although though unless once also only too even still just again already ever never now then there here
   today both each every either neither all any some most many much several such other others another same own is are was were be been being
   am do does did done has have had having will would can could may might must shall should not no s t re ve ll came come comes coming went
   go goes going gone made make makes making accounted accounts represents represent represented remains remained remain stayed stay stays
   stood stands followed follows follow led leads lead seen see shows show showed shown reached reach reaches hit hits left leaves sold sell sells
   came contributed contributes contribute made generated generates bought placed worth overall altogether combined together respectively
   alone apart instead according compared relative despite including excluding plus following like unlike ahead behind each total totals
   totaling totaled counting counts counted ranked ranks ranking earned brought brings took takes taken got gets gave gives given spent
   occurred happened belongs belong belonged falls exactly roughly approximately nearly yearly monthly weekly daily annually quarterly largely mostly mainly
   primarily respectively previously originally currently nationally globally worldwide online more less fewer higher lower above below up down over under later earlier
   long ago here`,
  // German
  `der die das den dem des ein eine einen einem einer eines und oder aber sowie als am an auf aus außer bei beim bis durch für gegen gegenüber hinter
   im in ins mit nach neben ohne pro seit statt trotz über um unter vom von vor während wegen zu zum zur zwischen ist sind war waren wird wurde
   wurden werden worden hat haben hatte hatten kam kamen kommt kommen entfielen entfiel entfällt entfallen lag lagen liegt liegen betrug
   betrugen beträgt machte machten macht machen blieb blieben bleibt erreicht erreichte stammt stammten stammte gingen ging geht auch nur noch
   schon sich nicht jeweils insgesamt zusammen davon dabei dagegen damit dort hier dann wenn weil da dass wobei womit es er sie wir ihr gesamt
   mehr weniger höher niedriger gefolgt verglichen im vergleich erzielt erzielte erzielten`,
  // French
  `le la les l d un une des du de au aux et ou mais ni car donc à en dans par pour sur sous avec sans chez vers entre depuis pendant avant après
   contre selon dont que qui quoi où lorsque quand si comme ce cet cette ces il elle ils elles on nous vous se s n ne pas plus moins est sont
   était étaient a ont avait avaient été sera provient proviennent venait venaient vient viennent représente représentent soit seulement aussi
   respectivement total totale au tandis alors chacun chacune tout toute tous toutes y compris contre`,
  // Spanish
  `el la los las un una unos unas de del al a ante bajo con contra desde durante en entre hacia hasta para por según sin sobre tras y e o u
   pero sino que quien cual cuando donde como si se su sus es son fue fueron era eran ha han había habían hay hubo está están estaba no más menos
   también solo sólo cada todo toda todos todas total procede proceden procedieron vino vinieron viene vienen corresponde corresponden
   respectivamente frente mientras`,
  // Italian
  `il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dalla dai dalle in nel nello nella nei
   negli nelle con su sul sulla sui per tra fra e ed o ma che chi cui quando dove come se si è sono era erano ha hanno aveva stato stata stati
   state non più meno anche solo ogni tutto tutta tutti tutte totale proviene provengono viene vengono rispettivamente rispetto mentre
   contro`,
  // Portuguese
  `o a os as um uma de do da dos das em no na nos nas ao à aos às por pelo pela para com sem sob sobre entre até desde durante e ou mas que
   quem quando onde como se é são foi foram era eram há houve tem têm tinha não mais menos também só cada todo toda todos todas total vem vêm
   veio vieram respectivamente contra enquanto`,
  // Dutch
  `de het een en of maar want dus van in op aan bij met voor door naar over onder tussen tot uit om per sinds tijdens tegen zonder dan als die
   dat dit deze er hier daar is zijn was waren wordt werd werden heeft had hadden kwam kwamen komt komen niet ook nog al wel maar alleen elk elke
   totaal samen respectievelijk vergeleken terwijl meer minder`,
)

export const isFunctionWord = (word: string): boolean => words.has(word) || (word.length > 5 && /(ly|mente)$/.test(word))

/** Frequent words that say nothing about what a text is about, so a shared one does not connect two texts. */
const insignificant = wordSet(
  `a an the of in on by for per and or to from with at as is are was were be total sum count number amount value values avg average mean median min
   max minimum maximum n no nr id ids key code pct percent percentage rate eur euro euros usd dollar dollars gbp jpy yen chf all row rows
   result results data query`,
)
export const isSignificant = (word: string): boolean => word.length > 1 && !insignificant.has(word)
