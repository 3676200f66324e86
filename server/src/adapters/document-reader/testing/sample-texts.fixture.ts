// The first articles of the Universal Declaration of Human Rights, which is free to use.
export const sampleTexts = {
  simplifiedChinese:
    "第一条\n人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。\n" +
    "第二条\n人人有资格享受本宣言所载的一切权利和自由，不分种族、肤色、性别、语言、宗教、政治或其他见解、国籍或社会出身、财产、出生或其他身分等任何区别。\n" +
    "第三条\n人人有权享有生命、自由和人身安全。\n第四条\n任何人不得使为奴隶或奴役；一切形式的奴隶制度和奴隶买卖，均应予以禁止。\n" +
    "第五条\n任何人不得加以酷刑，或施以残忍的、不人道的或侮辱性的待遇或刑罚。\n第六条\n人人在任何地方有权被承认在法律前的人格。\n",
  traditionalChinese:
    "第一條\n人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。\n" +
    "第二條\n人人有資格享受本宣言所載的一切權利和自由，不分種族、膚色、性別、語言、宗教、政治或其他見解、國籍或社會出身、財產、出生或其他身分等任何區別。\n" +
    "第三條\n人人有權享有生命、自由和人身安全。\n第四條\n任何人不得使為奴隸或奴役；一切形式的奴隸制度和奴隸買賣，均應予以禁止。\n" +
    "第五條\n任何人不得加以酷刑，或施以殘忍的、不人道的或侮辱性的待遇或刑罰。\n",
  japanese:
    "第一条\nすべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。\n" +
    "第二条\nすべて人は、人種、皮膚の色、性、言語、宗教、政治上その他の意見、国民的若しくは社会的出身、財産、門地その他の地位又はこれに類するいかなる事由による差別をも受けることなく、この宣言に掲げるすべての権利と自由とを享有することができる。\n" +
    "第三条\nすべて人は、生命、自由及び身体の安全に対する権利を有する。\n",
  french:
    "Article premier\nTous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison et de conscience et doivent agir les uns envers les autres dans un esprit de fraternité.\n" +
    "Article 2\nChacun peut se prévaloir de tous les droits et de toutes les libertés proclamés dans la présente Déclaration, sans distinction aucune, notamment de race, de couleur, de sexe, de langue, de religion, d'opinion politique ou de toute autre opinion, d'origine nationale ou sociale, de fortune, de naissance ou de toute autre situation.\n",
  german:
    "Artikel 1\nAlle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und Gewissen begabt und sollen einander im Geiste der Brüderlichkeit begegnen.\n" +
    "Artikel 3\nJeder hat das Recht auf Leben, Freiheit und Sicherheit der Person. Niemand darf in Sklaverei oder Leibeigenschaft gehalten werden; Sklaverei und Sklavenhandel in allen ihren Formen sind verboten.\n",
} as const;
