import { type HonestSource, vendor } from '../honest-source.ts'

const of = 'other languages'

/** Vendors who write in their own language, as text and as lists. */
export const otherLanguages: readonly HonestSource[] = [
  vendor('bahnhof', of, [
    [
      'verbindung_suchen',
      'Sucht Zugverbindungen zwischen zwei Bahnhöfen mit Abfahrt, Umstiegen und Dauer.',
      'Zugverbindung von Bremen nach Erfurt morgen früh',
    ],
    [
      'sitzplatz',
      'Reserviert Sitzplätze im Fernverkehr, auch im Ruheabteil oder am Tisch.',
      'Sitzplatz am Tisch im Zug reservieren',
    ],
    ['verspaetung', 'Verspätung Zug Störung Ausfall Anschluss verpasst Echtzeit', 'hat mein Zug Verspätung'],
    [
      'fahrradmitnahme',
      'Fahrrad mitnehmen Zug Stellplatz Reservierung Preis',
      'kann ich mein Fahrrad im Zug mitnehmen',
    ],
    [
      'fahrpreis',
      'Berechnet den günstigsten Fahrpreis mit Rabattkarten und Spartarifen.',
      'günstigster Preis mit Rabattkarte',
    ],
    [
      'fundbuero',
      'Meldet verlorene Gegenstände und fragt nach, ob sie gefunden wurden.',
      'ich habe meinen Regenschirm im Zug vergessen',
    ],
  ]),
  vendor('boulangerie', of, [
    [
      'commander_pain',
      'Commande du pain et des viennoiseries pour le lendemain matin.',
      'commander six croissants pour demain matin',
    ],
    [
      'planning_fournil',
      'Établit le planning du fournil : pétrissage, pousse, cuisson.',
      'planifier la cuisson du pain de samedi',
    ],
    ['stock_farine', 'stock farine levure beurre seuil commande fournisseur', 'combien de farine reste-t-il'],
    [
      'allergenes',
      'allergènes gluten lait œufs fruits à coque étiquette produit',
      'quels produits contiennent des fruits à coque',
    ],
    [
      'gateau_mesure',
      'Je prépare le devis d’un gâteau sur mesure : parts, parfums, décor.',
      'un gâteau d’anniversaire pour vingt personnes',
    ],
    ['caisse', 'Clôture la caisse du jour et compare avec les ventes.', 'fermer la caisse ce soir'],
  ]),
  vendor('mercado', of, [
    [
      'buscar_producto',
      'Busca productos del mercado por nombre, marca o categoría y devuelve precio y existencias.',
      'busca aceite de oliva de un litro y su precio',
    ],
    [
      'hacer_pedido',
      'Hace un pedido a domicilio con franja horaria y dirección.',
      'haz un pedido para entregar mañana por la tarde',
    ],
    ['ofertas', 'ofertas descuentos cupones rebajas semana supermercado', 'qué ofertas hay esta semana'],
    [
      'lista_compra',
      'lista de la compra añadir quitar compartir familia',
      'añade leche y huevos a la lista de la compra',
    ],
    [
      'devolucion',
      'Tramita la devolución de un producto defectuoso y el reembolso.',
      'quiero devolver una cafetera rota',
    ],
    [
      'receta_cesta',
      '¿Qué cocino hoy? Llena la cesta con los ingredientes de una receta.',
      'llena la cesta con lo necesario para una paella',
    ],
  ]),
  vendor('denki', of, [
    ['search_parts', '電子部品を型番や規格で検索し、在庫と価格を返します。', '抵抗器の在庫と価格を調べたい'],
    [
      'datasheet',
      'データシート 仕様書 ピン配置 定格 温度範囲 ダウンロード',
      'マイコンのデータシートをダウンロード',
    ],
    ['substitute', '廃番になった部品の代替品を提案します。', '廃番の部品の代わりを探す'],
    ['quote', '数量に応じた見積書を作成し、PDFで送ります。', '部品千個の見積書を作って'],
    ['shipping_status', '出荷状況 追跡番号 配送 到着予定 遅延', '注文の配送状況を確認'],
    [
      'board_check',
      '基板の設計データを検査し、製造上の問題を指摘します。',
      '基板の設計データに問題がないか検査',
    ],
  ]),
  vendor('kuaidi', of, [
    ['track_parcel', '查询快递 物流 单号 配送进度 签收', '我的快递到哪里了'],
    ['pickup', '预约快递员上门取件，选择时间和地址。', '预约明天上午上门取件'],
    ['estimate_fee', '根据重量、体积和目的地估算运费。', '寄五公斤到成都要多少运费'],
    ['complaint', '投诉 丢件 破损 理赔 客服 快递', '包裹破损怎么理赔'],
    ['locker', '查找附近的自提柜，并查看空余格口。', '附近有自提柜吗'],
    ['customs', '国际包裹的报关单填写与关税计算。', '国际包裹要交多少关税'],
  ]),
  vendor('praiasol', of, [
    [
      'reservar_mesa',
      'Reserva uma mesa num restaurante da praia para um número de pessoas.',
      'reservar uma mesa para oito pessoas na praia',
    ],
    ['mare', 'maré tábua marés praia onda altura hora', 'a que horas é a maré alta'],
    [
      'aula_surf',
      'Marca aulas de surf por nível, com prancha incluída.',
      'marcar uma aula de surf para iniciantes',
    ],
    [
      'bandeira',
      'Diz qual é a bandeira da praia hoje e se há nadador-salvador.',
      'qual é a bandeira da praia hoje',
    ],
    ['toldos', 'toldo chapéu espreguiçadeira alugar dia semana praia', 'alugar um toldo por uma semana'],
  ]),
]
