import { fold } from './fold.ts'

/** Other words for common columns, in all languages that are judged. Organizations add their own through their knowledge. */
const groups = `
revenue sales turnover income proceeds takings umsatz umsätze erlös erlöse einnahmen chiffre ventes recettes revenus ingresos ventas facturación ricavi ricavo fatturato vendite entrate receita receitas vendas faturamento omzet opbrengst;
orders order purchases bestellungen bestellung aufträge commandes commande pedidos pedido ordini ordine encomendas bestellingen bestelling;
customers customer clients client buyers shoppers kunden kunde clientes cliente clienti klanten klant;
users user nutzer benutzer utilisateurs usuarios usuários utenti gebruikers;
visits visit sessions session besuche sitzungen visites visitas visite bezoeken;
visitors visitor besucher visiteurs visitantes visitatori bezoekers;
products product items artikel produkte produits productos prodotti produtos producten;
units unit pieces piece quantity qty stück menge unités pièces quantité unidades piezas cantidad pezzi unità quantità peças quantidade stuks aantal;
cost costs expenses expense spend spending kosten ausgaben coûts dépenses costes costos gastos costi spese custos despesas uitgaven;
profit profits earnings gewinn bénéfice beneficio beneficios utile profitto lucro winst;
margin marge margen margine margem;
price prices preis preise prix precio precios prezzo prezzi preço preços prijs prijzen;
refunds refund refunded returns erstattungen erstattung rückerstattungen retouren remboursements reembolsos devoluciones rimborsi resi devoluções terugbetalingen;
signups signup signed registered registrations registration anmeldungen registrierungen inscriptions registros iscrizioni inscrições aanmeldingen;
employees employee staff headcount mitarbeiter employés empleados dipendenti funcionários medewerkers;
duration durations time dauer durée duración durata duração duur;
stock inventory bestand lagerbestand stocks inventario existencias magazzino estoque voorraad;
rating ratings score bewertung note puntuación valutazione avaliação beoordeling;
conversion conversions konversion umwandlung conversión conversione conversão conversie;
tickets ticket cases requests anfragen demandes solicitudes richieste pedidos aanvragen;
amount sum betrag montant importe importo valor bedrag;
ms millisecond milliseconds millisekunden millisecondes milisegundos millisecondi milliseconden;
sec secs second seconds sekunden secondes segundos secondi seconden;
min mins minute minutes minuten minutos minuti minuut;
hours hour hrs hr stunden heures horas ore uren;
kg kilograms kilogramm kilos;
km kilometers kilometer;
population inhabitants einwohner bevölkerung habitants población abitanti população inwoners`
  .split(';')
  .map((group) => group.trim().split(/\s+/).map(fold))

const groupOf = new Map<string, string[]>()
for (const group of groups) for (const word of group) groupOf.set(word, [...(groupOf.get(word) ?? []), ...group])

/** All words that may be used for a folded word, itself included. */
export const synonymsOf = (word: string): readonly string[] => groupOf.get(word) ?? groupOf.get(`${word}s`) ?? groupOf.get(word.replace(/s$/, '')) ?? [word]
