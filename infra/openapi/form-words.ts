/** Describes the forms of codes, and formulas. Formulas calculate with major units, unlike all other amounts (docs/discounts.md#formulas). */
export const formWords: Readonly<Record<string, string>> = {
  amount_off_formula:
    'Formula of the discount, in major currency units: `ORDER_AMOUNT / 10` gives 20.00 off an order of 200.00. Without a result, `amount_off` applies.',
  charset: 'Characters that replace each `#` of the pattern.',
  fixed_amount_formula:
    'Formula of the new price, in major currency units: `ORDER_AMOUNT - 5` makes 195.00 of an order of 200.00. Without a result, `fixed_amount` applies.',
  pattern:
    'Form of the code. A drawn character replaces each `#`: `SPRING-####` makes `SPRING-x4Tq`. It replaces `length`.',
  percent_off_formula:
    'Formula of the percentage. Amounts in it are in major currency units: `ORDER_AMOUNT / 20` is 10 percent for an order of 200.00. Without a result, `percent_off` applies.',
  points_formula:
    'Formula of the points. Amounts in it are in major currency units: `ORDER_AMOUNT / 4` gives 50 points for an order of 200.00. Without a result, `points` applies.',
  postfix: 'Text after the pattern.',
  prefix: 'Text in front of the pattern.',
  price_formula:
    'Formula of the new price of a unit, in major currency units: `ORDER_ITEM_PRICE / 2` makes 15.00 of 30.00. Without a result, `price` applies.',
  unit_off_formula:
    'Formula of the number of free units. Amounts in it are in major currency units: `ORDER_AMOUNT / 100` gives 2 units for an order of 200.00. Without a result, `unit_off` applies.',
};
